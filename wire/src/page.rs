use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One page of a listing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Page<T> {
    /// The page's items.
    pub items: Vec<T>,
    /// Pass it as `cursor` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl<T> Page<T> {
    /// The only page.
    pub fn whole(items: Vec<T>) -> Self {
        Self { items, next: None }
    }

    /// The same page of what each item becomes.
    pub fn map<U>(self, one: impl FnMut(T) -> U) -> Page<U> {
        let (items, next) = (self.items.into_iter().map(one).collect(), self.next);
        Page { items, next }
    }
}
