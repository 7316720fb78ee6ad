import RemindavCMicroHTTPD
import RemindavHTTP
import Synchronization

// libmicrohttpd calls the following functions on its own thread. They capture nothing, because they are C functions.

/// The only callback that receives the target as the client sent it, without percent-decoding.
func handleTarget(
    context: UnsafeMutableRawPointer?,
    target: UnsafePointer<CChar>?,
    connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context, let target else { return nil }
    let table = Unmanaged<ConnectionTable>.fromOpaque(context).takeUnretainedValue()
    let exchange = Exchange(target: String(cString: target), rules: table.rules)
    return Unmanaged.passRetained(exchange).toOpaque()
}

func handleAccess(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    url: UnsafePointer<CChar>?,
    method: UnsafePointer<CChar>?,
    version: UnsafePointer<CChar>?,
    piece: UnsafePointer<CChar>?,
    pieceSize: UnsafeMutablePointer<Int>?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context, let connection, let method, let pieceSize, let place = slot?.pointee else { return .NO }
    let table = Unmanaged<ConnectionTable>.fromOpaque(context).takeUnretainedValue()
    let exchange = Unmanaged<Exchange>.fromOpaque(place).takeUnretainedValue()
    let step = exchange.conversation.withLock { conversation in
        if conversation.expectsHead {
            var request = Request(
                method: String(cString: method),
                url: conversation.target,
                headers: table.headers(of: connection)
            )
            let socket = remindav_connection_socket(table.library, connection)
            request.peer = Peer(socket: socket)
            request.socketUser = Peer.userID(ofUnixSocket: socket)
            let step = conversation.headArrived(request, newFile: table.newFile)
            if conversation.isSaving {
                let (id, time) = (UInt(bitPattern: connection), table.answerTime)
                table.waiting.withLock { $0.waits(id, within: time) }
            }
            return step
        }
        if pieceSize.pointee > 0, let piece {
            defer { pieceSize.pointee = 0 }
            return conversation.bodyArrived(UnsafeRawBufferPointer(start: piece, count: pieceSize.pointee))
        }
        return conversation.proceed()
    }
    return table.perform(step, for: exchange, on: connection)
}

func handleCompletion(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    reason: MHD_RequestTerminationCode
) {
    guard let context, let connection, let slot, let place = slot.pointee else { return }
    slot.pointee = nil
    let exchange = Unmanaged<Exchange>.fromOpaque(place).takeRetainedValue()
    Unmanaged<ConnectionTable>.fromOpaque(context).takeUnretainedValue().completed(exchange, on: connection)
}

func handleConnection(
    context: UnsafeMutableRawPointer?,
    connection: OpaquePointer?,
    slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    event: MHD_ConnectionNotificationCode
) {
    guard let context, let connection else { return }
    let table = Unmanaged<ConnectionTable>.fromOpaque(context).takeUnretainedValue()
    let id = UInt(bitPattern: connection)
    switch event {
    case .CONNECTION_NOTIFY_STARTED:
        let requestTime = table.requestTime
        let socket = remindav_connection_socket(table.library, connection)
        let limit = table.limits.connections
        table.waiting.withLock { $0.opened(id, socket: socket, within: requestTime, limit: limit) }
        table.sweep()
    case .CONNECTION_NOTIFY_CLOSED:
        table.waiting.withLock { $0.closed(id) }
    @unknown default:
        break
    }
}

extension ConnectionTable {
    fileprivate func headers(of connection: OpaquePointer) -> Headers {
        var headers = Headers()
        withUnsafeMutablePointer(to: &headers) { list in
            _ = self.library.pointee.get_connection_values_n(connection, .HEADER_KIND, collectHeader, list)
        }
        return headers
    }
}

private func collectHeader(
    list: UnsafeMutableRawPointer?,
    kind: MHD_ValueKind,
    name: UnsafePointer<CChar>?,
    nameSize: Int,
    value: UnsafePointer<CChar>?,
    valueSize: Int
) -> MHD_Result {
    guard let list, let name else { return .NO }
    let text = String(decoding: UnsafeRawBufferPointer(start: name, count: nameSize), as: UTF8.self)
    // Bytes that are not valid UTF-8 become U+FFFD.
    let bytes = UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize)
    let headers = list.assumingMemoryBound(to: Headers.self)
    headers.pointee.append(HeaderName(text), String(decoding: bytes, as: UTF8.self))
    return .YES
}
