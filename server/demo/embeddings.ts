import { endianness } from 'node:os'
import type { Json } from '../relay/json.ts'
import { Refusal } from './refusal.ts'
import { readCount, readInputs } from './request.ts'
import { inputTokens } from './usage.ts'

const DIMENSIONS_DEFAULT = 1_536
const DIMENSIONS_MAX = 4_096
const INPUTS_MAX = 2_048

/**
 * Returns the reply of `POST /v1/embeddings`. Equal inputs get equal vectors of length 1. Inputs of similar meaning do
 * not get similar vectors.
 */
export function answerEmbeddings(body: Json & { model: string }): string {
  const inputs = readInputs(body, 'input')
  if (inputs.length > INPUTS_MAX) throw new Refusal(400, `At most ${INPUTS_MAX} inputs.`, { param: 'input' })
  const dimensions = readCount(body, 'dimensions', DIMENSIONS_MAX) ?? DIMENSIONS_DEFAULT
  const encode = body.encoding_format === 'base64' ? base64 : (vector: Float32Array) => Array.from(vector)
  const data = inputs.map((input, index) => ({
    object: 'embedding',
    index,
    embedding: encode(vectorOf(typeof input === 'string' ? input : input.join(' '), dimensions)),
  }))
  const tokens = inputs.reduce((sum, input) => sum + inputTokens(input), 0)
  const usage = { prompt_tokens: tokens, total_tokens: tokens }
  return JSON.stringify({
    object: 'list',
    data,
    model: body.model,
    ...(body.model === 'sim-no-usage' ? {} : { usage }),
  })
}

function vectorOf(text: string, dimensions: number): Float32Array {
  let state = seedOf(text)
  const vector = new Float32Array(dimensions)
  let squares = 0
  for (let at = 0; at < dimensions; at++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    const value = state / 2 ** 31
    vector[at] = value
    squares += value * value
  }
  const length = Math.sqrt(squares)
  return vector.map((value) => value / length)
}

/** Returns the FNV-1a hash of a text as a seed. It is never 0, because xorshift of 0 is always 0. */
function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash | 1
}

/** Returns a vector in OpenAI's base64 format: little-endian 32-bit floats. */
function base64(vector: Float32Array): string {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
  return (endianness() === 'LE' ? bytes : bytes.swap32()).toString('base64')
}
