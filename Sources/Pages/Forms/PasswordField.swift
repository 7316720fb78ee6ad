import RemindavBridge
import RemindavHTML
import RemindavHTTP

/// The field with a password, whose value no page contains.
enum PasswordField {
    struct Problem: Error {
        let sentence: String
    }

    static func source(_ fields: FormFields, _ name: String = "password") throws(Problem) -> PasswordSource {
        let password = fields[name] ?? ""
        guard !password.isEmpty else { throw Problem(sentence: "Enter the password.") }
        guard password.utf8.count <= Secrets.maximumPasswordBytes else {
            throw Problem(sentence: "The password is longer than \(Secrets.maximumPasswordBytes) bytes.")
        }
        return .keeping(password)
    }
}
