// Package agents serves operations as tools of the Model Context Protocol, each with a price, a budget and a receipt.
//
//  1. tools.go reads the operations that an operator has chosen, and how much a session may consume (settings.go).
//     inputs.go describes their variables as JSON Schema, and describe.go says in words what each does and costs.
//  2. server.go registers the tools of the Service (service.go). http.go serves them at /mcp, and stdio.go over stdin
//     and stdout; oauth.go has the issuers of tokens.
//  3. call.go carries out a call as its caller, by the executor of /graphql: with the same access rules, limits,
//     shares, budgets, log and metrics. arguments.go reads its arguments. session.go reserves the price in the
//     session's budget before, and counts what was used afterwards; sessions.go has the sessions of all callers, which
//     list.go shows operators, as the page of sessionspage.go or as JSON. follow.go carries out a subscription, whose
//     arguments beside the variables following.go has: what each event costs is taken out of the session as it happens.
//  4. result.go writes the result: the data, marked as data, the receipt, and what is left. pages.go finds the pages
//     that have more.
//  5. price.go is the tool for prices. search.go is the search in the schema (elements.go), and own.go the operation of
//     an agent's own, if the operator enables them.
//
// The protocol itself (messages, transports, validation of arguments) is that of the official SDK.
//
// # Why it is so
//
// A budget that is used up is a result that the agent can read, and not an error of the transport: a client hides the
// latter, and sends the call again.
//
// A price is a tool of its own, and not an argument of each tool: an agent reads the arguments of all tools before it
// calls the first one.
//
// What is stored may be written by anybody, and an agent may take a text for an instruction. Therefore data are in
// parts of their own, as JSON, where no text can end them, and never in descriptions, which clients show as the
// operator's.
package agents
