// SaverCLI
