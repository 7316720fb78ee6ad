extension [UInt8] {
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: self.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension UInt8 {
    package var isHexadecimalDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
    }
}
