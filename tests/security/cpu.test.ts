import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { customer, setPrices } from '../support/gateway.ts'
import { completion, sendJson, startUpstream, usage } from '../support/hand-made-upstream.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { openTestToolkit } from '../support/toolkit.ts'

const MB = 1_000_000
const MODEL = 'gpt-4o'
const EMBEDDINGS = 'text-embedding-3-small'
/** On a machine that does nothing else it is 20 ms at most. Without limits it was up to 1 800 ms. */
const CPU_MS_MAX = 40
/** The same in parses of a megabyte of numbers, for machines that are slower or busy. */
const PARSES_MAX = 5
const TURNS = 8
const TICK_MS = 10

/** As many items as fit into a megabyte of JSON. */
function many(item: string, bytes = MB): string {
  return Array.from({ length: Math.floor(bytes / (item.length + 1)) }, () => item).join(',')
}

function manyKeys(value = '1', bytes = MB): string {
  let keys = ''
  for (let at = 0; keys.length < bytes; at++) keys += `${at ? ',' : ''}"k${at}":${value}`
  return keys
}

const CHAT = '/v1/chat/completions'
const GEMINI = `/v1beta/models/${MODEL}:generateContent`
const chat = (rest: string) => `{"model":"${MODEL}",${rest}}`
const say = (content: string) => chat(`"messages":[{"role":"user","content":${content}}]`)
const HELLO = '"messages":[{"role":"user","content":"hi"}]'

/** A file whose pages are marked. */
const pdfPart = (marks: string) =>
  `{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,${Buffer.from(`%PDF-1.4\n/Type /Page ${marks}`).toString('base64')}"}}`

const SHAPES: Record<string, [path: string, body: string]> = {
  'gemini contents': [GEMINI, `{"contents":[${many('{"parts":[{"text":"x"}]}')}]}`],
  'gemini empty contents': [GEMINI, `{"contents":[${many('{}')}]}`],
  'gemini parts': [GEMINI, `{"contents":[{"parts":[${many('{"text":"x"}')}]}]}`],
  'gemini tools': [GEMINI, `{"contents":[{"parts":[{"text":"x"}]}],"tools":[${many('{}')}]}`],
  'gemini capitals': [
    GEMINI,
    `{"contents":[{"parts":[{"text":"x"}]}],"a":[${many(`{"_":1,"${'A'.repeat(60)}":1,"${'B'.repeat(60)}":1}`)}]}`,
  ],
  'gemini a long name': [GEMINI, `{"contents":[{"parts":[{"text":"x"}]}],"a_b":1,"${'A'.repeat(MB)}":1}`],
  'ollama calls and results': [
    '/api/chat',
    chat(
      `"messages":[{"role":"assistant","tool_calls":[${many(`{"id":"${'a'.repeat(100)}"}`, MB / 2)}]},${many(`{"role":"tool","tool_call_id":"${'a'.repeat(99)}b"}`, MB / 2)}]`,
    ),
  ],
  'ollama pictures': ['/api/generate', chat(`"prompt":"x","images":[${many('"aaaa"', MB / 4)}]`)],
  'chat messages': [CHAT, chat(`"messages":[${many('{"role":"user","content":"x"}')}]`)],
  'chat empty messages': [CHAT, chat(`"messages":[${many('{}')}]`)],
  'chat numbers as messages': [CHAT, chat(`"messages":[${many('1')}]`)],
  'chat lists as messages': [CHAT, chat(`"messages":[${many('[]')}]`)],
  'chat parts': [CHAT, say(`[${many('{"type":"text","text":"x"}')}]`)],
  'chat images': [CHAT, say(`[${many('{"type":"image_url","image_url":{"url":"https://a.b/c.png"}}')}]`)],
  'chat tools': [CHAT, chat(`${HELLO},"tools":[${many('{"type":"function","function":{"name":"x"}}')}]`)],
  'chat tool calls': [
    CHAT,
    chat(
      `"messages":[{"role":"assistant","tool_calls":[${many('{"id":"a","type":"function","function":{"name":"x","arguments":"{}"}}')}]}]`,
    ),
  ],
  'chat keys': [CHAT, chat(`${HELLO},${manyKeys()}`)],
  'chat keys in metadata': [CHAT, chat(`${HELLO},"metadata":{${manyKeys('"v"')}}`)],
  'chat logit bias': [CHAT, chat(`${HELLO},"logit_bias":{${manyKeys()}}`)],
  'chat unknown list': [CHAT, chat(`${HELLO},"unknown":[${many('1')}]`)],
  'chat stop': [CHAT, chat(`${HELLO},"stop":[${many('"a"')}]`)],
  'chat deep': [CHAT, chat(`${HELLO},"deep":${'['.repeat(MB / 2)}${']'.repeat(MB / 2)}`)],
  'chat repeated key': [CHAT, chat(`${HELLO},${many('"n":1')}`)],
  'chat escapes': [CHAT, say(`"${'\\u0041'.repeat(MB / 6)}"`)],
  'chat quotes': [CHAT, say(`"${'\\"'.repeat(MB / 2)}"`)],
  'chat hieroglyphs': [CHAT, say(`"${'\u{13000}'.repeat(MB / 4)}"`)],
  'chat private use': [CHAT, say(`"${'\ue000'.repeat(MB / 3)}"`)],
  'chat punctuation': [CHAT, say(`"${'!?.;'.repeat(MB / 4)}"`)],
  'chat english': [CHAT, say(`"${'the quick brown fox '.repeat(MB / 20)}"`)],
  'chat base64 image': [
    CHAT,
    say(`[{"type":"image_url","image_url":{"url":"data:image/png;base64,${'A'.repeat(MB)}"}}]`),
  ],
  'chat base64 PDF': [
    CHAT,
    say(
      `[{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,${'JVBERi0x'.repeat(MB / 8)}"}}]`,
    ),
  ],
  'chat PDF of page marks': [
    CHAT,
    say(
      `[{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,${Buffer.from(`%PDF-1.4\n${'/Type /Page '.repeat(MB / 16)}`).toString('base64')}"}}]`,
    ),
  ],
  'chat PDF of lists': [
    CHAT,
    say(
      `[{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,${Buffer.from(`%PDF-1.4\n${'/Kids 1 R '.repeat(MB / 14)}`).toString('base64')}"}}]`,
    ),
  ],
  'chat PDFs of page marks': [
    CHAT,
    say(`[${Array.from({ length: 8 }, () => pdfPart('/Page'.repeat(18_000))).join(',')}]`),
  ],
  'chat PDFs of counts': [
    CHAT,
    say(`[${Array.from({ length: 5 }, () => pdfPart('/Count 1 '.repeat(15_000))).join(',')}]`),
  ],
  'chat PDF of short lists': [CHAT, say(`[${pdfPart('/Kids[1 0]'.repeat(70_000))}]`)],
  'chat backslashes': [CHAT, say(`"${'\\\\'.repeat(MB / 2)}"`)],
  'anthropic messages': ['/v1/messages', chat(`"max_tokens":10,"messages":[${many('{"role":"user","content":"x"}')}]`)],
  'anthropic parts': [
    '/v1/messages',
    chat(`"max_tokens":10,"messages":[{"role":"user","content":[${many('{"type":"text","text":"x"}')}]}]`),
  ],
  'anthropic system': [
    '/v1/messages',
    chat(`"max_tokens":10,${HELLO},"system":[${many('{"type":"text","text":"x"}')}]`),
  ],
  'responses items': ['/v1/responses', chat(`"input":[${many('{"role":"user","content":"x"}')}]`)],
  'responses empty items': ['/v1/responses', chat(`"input":[${many('{}')}]`)],
  'completions prompts': ['/v1/completions', chat(`"prompt":[${many('"x"')}]`)],
  'completions tokens': ['/v1/completions', chat(`"prompt":[${many('123')}]`)],
  'embeddings texts': ['/v1/embeddings', `{"model":"${EMBEDDINGS}","input":[${many('"x"')}]}`],
  'embeddings tokens': ['/v1/embeddings', `{"model":"${EMBEDDINGS}","input":[${many('[1]')}]}`],
  'rerank documents': ['/v1/rerank', `{"model":"${MODEL}","query":"x","documents":[${many('"x"')}]}`],
  'moderation texts': ['/v1/moderations', `{"model":"${MODEL}","input":[${many('"x"')}]}`],
  // As much as is allowed.
  'gemini contents, allowed': [GEMINI, `{"contents":[${many('{"parts":[{"text":"x"}]}', 75_000)}]}`],
  'gemini parts, allowed': [GEMINI, `{"contents":[{"parts":[${many('{"text":"x"}', 125_000)}]}]}`],
  'chat messages, allowed': [CHAT, chat(`"messages":[${many('{"role":"user","content":"x"}', 295_000)}]`)],
  'chat parts, allowed': [CHAT, say(`[${many('{"type":"text","text":"x"}', 250_000)}]`)],
  'chat tools, allowed': [
    CHAT,
    chat(`${HELLO},"tools":[${many('{"type":"function","function":{"name":"x"}}', 210_000)}]`),
  ],
  'chat lists, allowed': [CHAT, chat(`${HELLO},"x":[${many('[]', 29_000)}]`)],
  'chat texts, allowed': [CHAT, chat(`${HELLO},"stop":[${many('"a"', 195_000)}]`)],
  'chat numbers, allowed': [CHAT, chat(`${HELLO},"x":[${many('1', 590_000)}]`)],
  'chat keys, allowed': [CHAT, chat(`${HELLO},"x":[${many(`{${manyKeys('1', 12_000)}}`)}]`)],
  'responses items, allowed': ['/v1/responses', chat(`"input":[${many('{"role":"user","content":"x"}', 295_000)}]`)],
  'anthropic parts, allowed': [
    '/v1/messages',
    chat(`"max_tokens":10,"messages":[{"role":"user","content":[${many('{"type":"text","text":"x"}', 250_000)}]}]`),
  ],
  'completions prompts, allowed': ['/v1/completions', chat(`"prompt":[${many('"x"', 195_000)}]`)],
  'a long model': [CHAT, `{"model":"${'m'.repeat(MB)}",${HELLO}}`],
}

const NUMBERS = `[${many('1')}]`

/** What one request may cost on this machine, as busy as it is now. */
function cpuMsMax(): number {
  const before = process.cpuUsage()
  for (let turn = 0; turn < TURNS; turn++) JSON.parse(NUMBERS)
  const { user, system } = process.cpuUsage(before)
  return Math.max(CPU_MS_MAX, (PARSES_MAX * (user + system)) / 1000 / TURNS)
}

async function cpuOf({ pid }: ServerProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

test.runIf(process.platform === 'linux')('no megabyte is expensive before the hold', { timeout: 240_000 }, async () => {
  const fixture = await openTestToolkit()
  const upstream = await startUpstream((exchange) => sendJson(exchange, completion('ok', usage(5, 5))))
  await setPrices(fixture)
  await fixture.channel({ base_url: upstream.url, models: `${MODEL},${EMBEDDINGS}` })
  // Enough to have its body received, and for no request.
  const { key } = await customer(fixture, { user: { quota: 1 } })
  const server = await startServer(fixture)
  const send = async (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const reply = await fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body,
    })
    return `${reply.status} ${await reply.text()}`
  }
  const measure = async (...request: Parameters<typeof send>) => {
    let reply = ''
    for (let turn = 0; turn < 2; turn++) reply = await send(...request)
    const before = await cpuOf(server)
    for (let turn = 0; turn < TURNS; turn++) await send(...request)
    return { ms: ((await cpuOf(server)) - before) / TURNS, reply }
  }
  const rows: string[] = []
  const add = (name: string, { ms, reply }: { ms: number; reply: string }) => {
    rows.push(`${ms.toFixed(1).padStart(8)} ms  ${name.padEnd(30)} ${reply.slice(0, 100)}`)
    if (ms >= CPU_MS_MAX) expect(ms, name).toBeLessThan(cpuMsMax())
    expect(reply, name).toMatch(/^4/)
  }
  for (const [name, [path, body]] of Object.entries(SHAPES)) {
    add(name, await measure(path, body))
  }
  const packed = new Uint8Array(gzipSync(`{"contents":[${many('{"parts":[{"text":"x"}]}', 10_000_000)}]}`))
  add('gemini, 400 000 contents in gzip', await measure(GEMINI, packed, { 'content-encoding': 'gzip' }))
  console.log(rows.join('\n'))
  expect(upstream.seen).toEqual([])
})

/** The management API has no field for them. */
const API_SHAPES: Record<string, string> = {
  numbers: `{"name":[${many('1')}]}`,
  lists: `{"name":[${many('[]')}]}`,
  objects: `{"name":[${many('{}')}]}`,
  texts: `{"name":[${many('"a"')}]}`,
  deep: `{"name":${'['.repeat(MB / 2)}${']'.repeat(MB / 2)}}`,
  keys: `{${manyKeys()}}`,
}

test.runIf(process.platform === 'linux')(
  'no megabyte is expensive in the management API',
  { timeout: 60_000 },
  async () => {
    const fixture = await openTestToolkit()
    const { person } = await customer(fixture)
    const token = await fixture.toolkit.accessTokens.create(person)
    const server = await startServer(fixture)
    const send = async (body: string) => {
      const headers = { authorization: token, 'tollgate-user': String(person.id), 'content-type': 'application/json' }
      const reply = await fetch(`${server.url}/api/token/`, { method: 'POST', headers, body })
      return `${reply.status} ${reply.headers.get('tollgate-error')}`
    }
    for (const [name, body] of Object.entries(API_SHAPES)) {
      for (let turn = 0; turn < 2; turn++) expect(await send(body), name).toMatch(/^200 .*REQUEST_MALFORMED/)
      const before = await cpuOf(server)
      for (let turn = 0; turn < TURNS; turn++) await send(body)
      expect(((await cpuOf(server)) - before) / TURNS, name).toBeLessThan(cpuMsMax())
    }
  },
)
