import RemindavHTML

/// A check box with its name; the browser sends `1` if it is on.
struct CheckBox: Part {
    let name: String
    let text: String
    let isOn: Bool

    init(_ name: String, _ text: String, isOn: Bool) {
        self.name = name
        self.text = text
        self.isOn = isOn
    }

    var body: some HTML {
        label(.class("choice")) {
            input(.type(.checkbox), .name(self.name), .value("1"), self.isOn ? .isChecked : nil)
            " \(self.text)"
        }
    }
}
