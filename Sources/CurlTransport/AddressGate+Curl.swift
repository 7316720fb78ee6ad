internal import Glibc
internal import RemindavCCurl

extension AddressGate {
    /// Lets libcurl open only sockets to allowed addresses, and without a proxy; returns whether libcurl accepts this.
    ///
    /// libcurl calls the gate with each address that it is about to connect to, so it does not matter which addresses the
    /// name of a server had earlier. With a proxy, the gate would only see the address of the proxy. The gate must live
    /// as long as the transfer.
    func guardSockets(of easy: UnsafeMutableRawPointer, _ curl: RemindavCurlLibrary) -> Bool {
        [
            remindav_curl_set_open_socket(curl, easy, openSocket),
            remindav_curl_set_pointer(curl, easy, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(self).toOpaque()),
            // An empty name disables the proxy of the environment.
            remindav_curl_set_text(curl, easy, CURLOPT_PROXY, ""),
        ].allSatisfy { $0 == CURLE_OK }
    }
}

private func openSocket(
    _ object: UnsafeMutableRawPointer?,
    _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let object, let address, let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else {
        return remindav_curl_no_socket()
    }
    // The structure ends with an address of any length.
    let bytes = UnsafeRawBufferPointer(
        start: UnsafeRawPointer(address) + offset,
        count: Int(address.pointee.addrlen)
    )
    let gate = Unmanaged<AddressGate>.fromOpaque(object).takeUnretainedValue()
    guard gate.allows(SocketAddress(bytes)) else { return remindav_curl_no_socket() }
    let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    return socket(address.pointee.family, type, address.pointee.protocol)
}
