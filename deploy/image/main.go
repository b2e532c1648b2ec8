// Command image writes an image of the program as an OCI layout, without a container engine. It has nothing but the
// program, one manifest for each binary that is named, and with -schema a folder of schema files that is served:
//
//	go run ./deploy/image -output bin/image [-schema tasks] bin/partita-amd64 bin/partita-arm64
//
// # Why it is so
//
// There is no base image: the program is static, and has the certificates of authorities in it, so that nothing but the
// program can have a flaw, and what is built follows from the commit alone. go-containerregistry writes the formats. ko
// is made of it, too, but begins with a base image from a registry.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

func main() {
	output := flag.String("output", "", "the folder of the layout; what is there is replaced")
	schema := flag.String("schema", "", "a folder of schema files that the image serves, instead of the program's own")
	flag.Parse()
	if err := write(*output, *schema, flag.Args()); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

// write writes the layout. It has one entry, so that it has one name in a registry: the image, or with several programs
// the index of their images. Lambda takes no index.
func write(output, schema string, programs []string) error {
	if output == "" || len(programs) == 0 {
		return errors.New("name a folder by -output, and the programs")
	}
	var images []mutate.IndexAddendum
	for _, path := range programs {
		img, platform, err := imageOf(path, schema)
		if err != nil {
			return err
		}
		images = append(images, mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{Platform: platform}})
	}
	if err := os.RemoveAll(output); err != nil {
		return err
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	top := mutate.AppendManifests(index, images...)
	if len(images) > 1 {
		top = mutate.AppendManifests(index, mutate.IndexAddendum{Add: top})
	}
	_, err := layout.Write(output, top)
	return err
}
