# Written by 'remindav service install'; 'remindav service remove' takes it away.
# Run by remindav.desktop: some programs that read desktop entries know no quotation marks.
exec '/home/ada/a b "c" '\''d'\'' $HOME ${e} $$ %h %% \n \\ ;`f` ä #g/remindav' '--store' '/home/ada/a b "c" '\''d'\'' $HOME ${e} $$ %h %% \n \\ ;`f` ä #g' 'open' "$@"
