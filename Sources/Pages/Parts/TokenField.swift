import RemindavHTML

/// The hidden field that each form needs.
struct TokenField: Part {
    let token: String
    init(_ token: String) { self.token = token }
    var body: some HTML { input(.type(.hidden), .name("token"), .value(self.token)) }
}
