//go:build !js

package lesson

import (
	"backfill-lab/public/exercises"
	"backfill-lab/public/lessons"
)

func init() {
	file, err := lessons.File()
	if err == nil {
		err = Load(file)
	}
	if err == nil {
		file, err = exercises.File()
	}
	if err == nil {
		err = LoadExercises(file)
	}
	if err != nil {
		panic("the lessons and exercises of the project: " + err.Error())
	}
}
