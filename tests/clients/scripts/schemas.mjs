/* Parses documents and events of replies with the schemas of the libraries that have some. In: [{ schema, value }]; out: a problem or null for each. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import {
  ChatCompletionResponse$inboundSchema,
  CompletionChunk$inboundSchema,
} from '@mistralai/mistralai/models/components'

// Its package names no path to them.
const cohere = createRequire(import.meta.url)(
  join(import.meta.dirname, '..', 'node_modules', 'cohere-ai', 'serialization', 'index.js'),
)
const zod = (schema) => (value) => schema.safeParse(value).error?.message
/** As the library parses, but without its leave to skip what is wrong. */
const fern = (schema) => (value) => {
  const { ok, errors } = schema.parse(value, { unrecognizedObjectKeys: 'passthrough' })
  return ok ? undefined : JSON.stringify(errors)
}
const SCHEMAS = {
  Mistral: zod(ChatCompletionResponse$inboundSchema),
  MistralChunk: zod(CompletionChunk$inboundSchema),
  Cohere: fern(cohere.V2ChatResponse),
  CohereEvent: fern(cohere.V2ChatStreamResponse),
}

const values = JSON.parse(await text(process.stdin))
const problems = values.map(({ schema, value }) => SCHEMAS[schema](value) ?? null)
process.stdout.write(JSON.stringify(problems))
