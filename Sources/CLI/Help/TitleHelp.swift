/// For the page of `add`.
enum TitleHelp {
    static let text = """
        These parts of TITLE are parsed, removed from the title and printed:
          #home, #"two words"              labels
          !high, !medium, !low, !1 to !9   the priority
          @groceries                       the list, if a list has this name
          at the end                       a day, a time with 'at', am or pm, or both; 'in 2
                                           hours'; 'daily', 'every ...', 'every monday at 9am'
        A title is not changed if nothing would remain of it, or with --literal. An option
        replaces the corresponding part, which then stays in the title; labels are combined.
        """
}
