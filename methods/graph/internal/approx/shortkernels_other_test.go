//go:build !amd64 || purego

package approx

var secondTile = shortTileGo
