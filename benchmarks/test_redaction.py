"""What redaction costs is to be measured here, in MB/s on the reference text, once there is a redactor."""
