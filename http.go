package main

import (
	"fmt"
	"time"

	"github.com/partita/partita/gateway"
	"github.com/partita/partita/loaders"
)

// httpSettings are what browsers are told and allowed.
type httpSettings struct {
	CORSOrigins gateway.Origins `name:"cors-origins" env:"CORS_ORIGINS" help:"Other origins whose pages may use the gateway, such as https://shop.example, with commas between them; * for all."`
	HSTSMaxAge  time.Duration   `name:"hsts-max-age" env:"HSTS_MAX_AGE" default:"0s" help:"How long browsers shall use https alone, where a proxy in front has it; 0 does not say."`
}

// Validate refuses what a header could not say.
func (s *httpSettings) Validate() error {
	if s.HSTSMaxAge < 0 {
		return fmt.Errorf("--hsts-max-age must not be negative, not %v", s.HSTSMaxAge)
	}
	return nil
}

func (s *httpSettings) apply(config *gateway.Config) {
	config.CORSOrigins = s.CORSOrigins
	config.HSTS = s.HSTSMaxAge
	config.RequestHeaders = []string{loaders.ConsistencyHeader}
}
