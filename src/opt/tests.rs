//! Tests of single passes on small functions.
