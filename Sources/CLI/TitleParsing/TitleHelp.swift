/// What the page of `add` says about the words of a title.
enum TitleHelp {
    static let text = """
        Words of TITLE that say more than a title are taken out of it, and shown:
          #home, #"two words"              labels
          !high, !medium, !low, !1 to !9   how urgent it is
          @groceries                       the list, when there is one of that name
          at the end: a day, a time with 'at', am or pm, a day and a time, 'in 2 hours', and
          how it repeats: 'every ...', 'daily', 'every monday at 9am'
        A title of which nothing would be left stays whole, and so does one with --literal.
        What an option says is not looked for; labels of both kinds count.
        """
}
