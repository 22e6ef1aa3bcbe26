import { Type } from 'typebox'

/** Returns the schema of a text that must be one of `words`. */
export const choice = <const Words extends readonly string[]>(words: Words, description: string) =>
  Type.Unsafe<Words[number]>(Type.String({ enum: [...words], description }))
