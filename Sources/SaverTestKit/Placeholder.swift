// SaverTestKit
