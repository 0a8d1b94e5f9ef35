package io.switchyard.client;

import java.io.InputStream;
import java.net.http.HttpHeaders;

/** A reply whose body is still to be read. */
record Reply(int status, HttpHeaders headers, InputStream body) {}
