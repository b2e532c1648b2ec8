// Package service has what the servers share that bench compares Partita with: settings, authentication, the line of
// the log, the HTTP server, and items of the AWS SDK. It is what a team has in each of its services.
package service
