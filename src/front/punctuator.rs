//! Spellings of punctuators, digraphs included, to [`Punct`] (C99 6.4.6).

use super::token::Punct;

/// The longest punctuator at the front (in bytes, zero where the text is at its end), and its
/// length.
pub fn find_punct(bytes: [u8; 4]) -> Option<(Punct, usize)> {
    use Punct::*;
    let [a, b, c, d] = bytes;
    if [a, b, c, d] == *b"%:%:" {
        return Some((HashHash, 4));
    }
    let three = match &[a, b, c] {
        b"..." => Some(Ellipsis),
        b"<<=" => Some(ShlEq),
        b">>=" => Some(ShrEq),
        _ => None,
    };
    if let Some(punct) = three {
        return Some((punct, 3));
    }
    let two = match &[a, b] {
        b"->" => Some(Arrow),
        b"++" => Some(PlusPlus),
        b"--" => Some(MinusMinus),
        b"<<" => Some(Shl),
        b">>" => Some(Shr),
        b"<=" => Some(Le),
        b">=" => Some(Ge),
        b"==" => Some(EqEq),
        b"!=" => Some(Ne),
        b"&&" => Some(AmpAmp),
        b"||" => Some(PipePipe),
        b"*=" => Some(StarEq),
        b"/=" => Some(SlashEq),
        b"%=" => Some(PercentEq),
        b"+=" => Some(PlusEq),
        b"-=" => Some(MinusEq),
        b"&=" => Some(AmpEq),
        b"^=" => Some(CaretEq),
        b"|=" => Some(PipeEq),
        b"##" => Some(HashHash),
        b"<:" => Some(LBracket),
        b":>" => Some(RBracket),
        b"<%" => Some(LBrace),
        b"%>" => Some(RBrace),
        b"%:" => Some(Hash),
        _ => None,
    };
    if let Some(punct) = two {
        return Some((punct, 2));
    }
    let one = match a {
        b'(' => LParen,
        b')' => RParen,
        b'[' => LBracket,
        b']' => RBracket,
        b'{' => LBrace,
        b'}' => RBrace,
        b'.' => Dot,
        b'&' => Amp,
        b'*' => Star,
        b'+' => Plus,
        b'-' => Minus,
        b'~' => Tilde,
        b'!' => Bang,
        b'/' => Slash,
        b'%' => Percent,
        b'<' => Lt,
        b'>' => Gt,
        b'^' => Caret,
        b'|' => Pipe,
        b'?' => Question,
        b':' => Colon,
        b';' => Semi,
        b'=' => Eq,
        b',' => Comma,
        b'#' => Hash,
        _ => return None,
    };
    Some((one, 1))
}
