import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectExactBooks, expectNothingHeld } from '../support/books.ts'
import { MODEL, openTestRelay, priceOf } from '../support/gateway.ts'
import { startRecorder } from '../support/recorder.ts'
import { casesText } from './cases.ts'
import { installClients, listedPackages } from './packages.ts'
import { problemsWithReplies } from './replies.ts'
import { strictUpstream, USAGE, type Wire } from './upstreams.ts'

const PAGE = fileURLToPath(new URL('../../docs/compatibility.md', import.meta.url))
const MARK = '<!-- What follows is written by `npm run clients`. -->'
const CLIENTS = [
  'openai',
  'openai-5',
  'openai-4',
  'openai-3',
  'anthropic',
  'anthropic-old',
  'google',
  'ai-sdk',
  'agents',
  'langchain',
  'cohere',
  'mistral',
  'ollama',
  'codex',
  'gemini-cli',
  'opencode',
] as const
const UPSTREAMS: Readonly<Record<Wire, { name: string; channel: { type?: number; setting?: string } }>> = {
  chat: { name: 'OpenAI chat', channel: { setting: JSON.stringify({ dialects: ['openai-chat'] }) } },
  responses: { name: 'Responses', channel: { setting: JSON.stringify({ dialects: ['openai-responses'] }) } },
  anthropic: { name: 'Anthropic', channel: { type: 14 } },
  gemini: { name: 'Gemini', channel: { type: 24 } },
}
const WIRES = Object.keys(UPSTREAMS) as Wire[]

type Results = Record<string, { text?: string; error?: string }>
const table = new Map<string, Partial<Record<Wire, string>>>()
let folder = ''

beforeAll(async () => {
  folder = await installClients()
})

/** The upstreams at which a case failed, as a remark on it. */
function failuresOf(marks: Partial<Record<Wire, string>>): string {
  const failures = WIRES.filter((wire) => marks[wire] === '✗').map((wire) => UPSTREAMS[wire].name)
  return failures.length > 0 ? ` (✗ ${failures.join(', ')})` : ''
}

describe.each(CLIENTS)('the client %s, as it is installed', (client) => {
  test.each(WIRES)('reads replies of an upstream of %s, at exact charges', async (wire) => {
    const { channel } = UPSTREAMS[wire]
    const fixture = await openTestRelay(strictUpstream(wire), { channel, user: { quota: 1_000_000_000 } })
    const recorder = await startRecorder(fixture.url)
    const env = { GATEWAY: recorder.url, TOLLGATE_KEY: fixture.key, MODEL, NODE_NO_WARNINGS: '1' }
    const { stdout } = await execa('node', [join(folder, 'scripts', `${client}.mjs`)], {
      env,
      extendEnv: true,
      reject: false,
    })
    const results = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Results
    const failed: Record<string, string> = {}
    for (const [name, { text, error }] of Object.entries(results)) {
      const row = table.get(`${client}: ${name}`) ?? {}
      row[wire] = text?.includes('sunny') ? '✓' : '✗'
      table.set(`${client}: ${name}`, row)
      if (!text?.includes('sunny')) failed[name] = error ?? `read ${text}`
    }
    // Each reply of the upstream is charged once, and nothing else is.
    const served = fixture.upstream.seen.filter(({ response }) => response.statusCode === 200).length
    const logs = await expectExactBooks(fixture)
    expect(logs.map(({ quota }) => quota)).toEqual(Array(served).fill(priceOf(USAGE.prompt, USAGE.completion)))
    await expectNothingHeld(fixture)
    expect(failed).toEqual({})
    expect(Object.keys(results)).not.toEqual([])
    expect(await problemsWithReplies(recorder.replies, { client, wire, folder })).toEqual([])
  })
})

afterAll(async () => {
  const versions = Object.entries(await listedPackages()).map(([name, version]) => `\`${name}\` ${version}`)
  const names = WIRES.map((wire) => UPSTREAMS[wire].name)
  const page = await readFile(PAGE, 'utf8')
  // Clients that did not run keep their rows.
  const rows = CLIENTS.flatMap((client) => {
    const cases = [...table].filter(([name]) => name.startsWith(`${client}: `))
    if (cases.length === 0) return page.split('\n').filter((row) => row.startsWith(`| ${client} | `))
    const remarks = new Map(cases.map(([name, marks]) => [name.slice(client.length + 2), failuresOf(marks)]))
    return `| ${client} | ${casesText(remarks)} |`
  })
  const text = [
    MARK,
    '',
    '## Clients as they are installed',
    '',
    `Each case ran in the client's default configuration, with mock upstreams of these formats: ${names.join(', ')}.`,
    'The client got the right text, unless ✗ names an upstream at which the case failed. Each reply was charged once, and',
    'had the fields and types of the official library. The upstreams rejected unknown fields, tool calls without results,',
    'and requests without the reasoning of earlier turns. Cases with `+` also ran streamed.',
    '',
    '`codex`, `gemini-cli` and `opencode` had no network access.',
    `Versions: ${versions.join(', ')}.`,
    '',
    '| client | cases |',
    '| --- | --- |',
    ...rows,
    '',
  ].join('\n')
  const at = page.indexOf(MARK)
  await writeFile(PAGE, `${(at < 0 ? page : page.slice(0, at)).trimEnd()}\n\n${text}`)
})
