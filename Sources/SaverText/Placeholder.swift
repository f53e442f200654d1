// SaverText
