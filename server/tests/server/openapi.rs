//! The checked-in openapi.json is what the server serves.

#[test]
fn the_checked_in_description_is_current() {
    let checked_in = std::fs::read_to_string("../openapi.json").unwrap();
    let current = kerncast_server::routes::openapi().to_pretty_json().unwrap();
    assert!(
        checked_in.trim_end() == current,
        "openapi.json is old: cargo run --bin kerncast-server openapi > openapi.json"
    );
}
