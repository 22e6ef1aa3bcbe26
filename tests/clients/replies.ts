import { join } from 'node:path'
import { execa } from 'execa'
import type { RecordedReply } from '../support/recorder.ts'
import { payloadsOf, problemsWithTypes, type Typed, typed } from '../support/reply-types/check.ts'
import type { Wire } from './upstreams.ts'

/** Types whose replies pass unchanged from an upstream of this format. */
const PASSED: Readonly<Record<Wire, RegExp>> = {
  chat: /^Chat/,
  responses: /^Response/,
  anthropic: /^Message/,
  gemini: /^Gemini/,
}

/** Returns what is wrong with the replies to a client, by the types and schemas of the official libraries. */
export async function problemsWithReplies(
  replies: readonly RecordedReply[],
  { client, wire, folder }: { client: string; wire: Wire; folder: string },
): Promise<string[]> {
  const values = replies.flatMap((reply) => typed(reply, `${client} over ${wire}`))
  const translated = values.filter(({ type }) => !PASSED[wire].test(type))
  const checked = replies.flatMap((reply) => withSchema(reply, client))
  return [...(await problemsWithTypes(translated)), ...(await problemsWithSchemas(checked, folder))]
}

interface Checked extends Pick<Typed, 'value'> {
  readonly schema: string
}

/** Mistral's client speaks OpenAI's path, and Cohere's one of its own. */
function withSchema({ path, status, text, contentType }: RecordedReply, client: string): Checked[] {
  if (status !== 200) return []
  const isStream = contentType.includes('event-stream')
  const schema =
    client === 'mistral' && path.endsWith('/chat/completions')
      ? isStream
        ? 'MistralChunk'
        : 'Mistral'
      : path === '/v2/chat'
        ? isStream
          ? 'CohereEvent'
          : 'Cohere'
        : undefined
  return schema === undefined ? [] : payloadsOf(text).map((value) => ({ schema, value }))
}

async function problemsWithSchemas(checked: readonly Checked[], folder: string): Promise<string[]> {
  if (checked.length === 0) return []
  const { stdout } = await execa('node', [join(folder, 'scripts', 'schemas.mjs')], { input: JSON.stringify(checked) })
  const problems = JSON.parse(stdout) as (string | null)[]
  return problems.flatMap((problem, at) => {
    const { schema, value } = checked[at] ?? {}
    return problem === null ? [] : `${schema}: ${problem} in ${JSON.stringify(value).slice(0, 600)}`
  })
}
