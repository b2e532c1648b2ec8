// Package replicas is what the replicas of a gateway share: a [Store] in a Valkey or Redis server. It runs scripts
// there, for those who keep something in it.
//
// A gateway works without its store. Nothing waits for a store that is not reachable: [Store.Run] then returns
// [ErrUnreachable] at once, and the caller continues with what this process knows by itself.
package replicas
