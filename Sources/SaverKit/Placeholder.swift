// SaverKit
