//! Nothing faults.

pub struct HandlerStack;

impl HandlerStack {
    pub fn new() -> HandlerStack {
        HandlerStack
    }
}
