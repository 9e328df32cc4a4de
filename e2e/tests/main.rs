//! Both programs from outside, and the house's rules.

mod attacked;
mod enroll;
mod evaluate;
mod faults;
mod forecast;
mod house_rules;
mod import;
mod killed;
mod module_circles;
mod newcomer;
mod readme;
mod settings;
mod streams;
mod whole_path;
