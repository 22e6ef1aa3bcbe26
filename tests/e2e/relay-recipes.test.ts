import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { customer, openTestGateway } from '../support/gateway.ts'
import {
  completion,
  DONE,
  type Exchange,
  event,
  say,
  sendJson,
  startStream,
  startUpstream,
  stopChunk,
  usage,
} from '../support/hand-made-upstream.ts'

/** Where the official clients are installed. */
const TESTS = fileURLToPath(new URL('..', import.meta.url))

const ANSWERS: Record<string, unknown> = {
  '/v1/chat/completions': completion('Hello there', usage(3, 2)),
  '/v1/embeddings': { object: 'list', data: [0, 1].map((index) => ({ index, embedding: [1, 0] })), usage: usage(2, 0) },
  '/v1/images/generations': { created: 1, data: [{ url: 'https://example.com/lighthouse.png' }] },
  '/v1/audio/transcriptions': { text: 'Hello from a recording' },
  '/v1/rerank': { results: [{ index: 1, relevance_score: 0.9 }], usage: { total_tokens: 3 } },
}

function answer(exchange: Exchange): void {
  const { path, body, response } = exchange
  if (path === '/v1/audio/speech') {
    response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(Buffer.alloc(1000, 1))
  } else if (body.stream) {
    startStream(exchange)
    response.end(event(say('Hello streamed')) + event(stopChunk()) + DONE)
  } else sendJson(exchange, ANSWERS[path])
}

test('the snippets of docs/relay.md work with the official clients and with curl', async () => {
  const fixture = await openTestGateway()
  const { url } = await startUpstream(answer)
  const models = 'gpt-4o-mini,claude-sonnet-5,text-embedding-3-small,dall-e-3,tts-1,whisper-1'
  await fixture.channel({ base_url: url, models })
  await fixture.channel({ base_url: url, type: 38, models: 'jina-reranker-m0' })
  await fixture.toolkit.options.set(fixture.root, 'DefaultModelRatio', '1')
  const { key } = await customer(fixture)
  const env = { GATEWAY: fixture.url, TOLLGATE_KEY: key }
  const document = await readFile(new URL('../../docs/relay.md', import.meta.url), 'utf8')
  const snippets = (language: string) =>
    [...document.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, snippet = '']) => snippet)
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-recipes-'))
  onTestFinished(() => rm(folder, { recursive: true }))

  const scripts = snippets('js')
  const outputs = await Promise.all(
    scripts.map(
      async (script) => (await execa('node', ['--input-type=module', '-e', script], { env, cwd: TESTS })).stdout,
    ),
  )
  const { stdout } = await execa('bash', ['-c', ['set -euo pipefail', ...snippets('sh')].join('\n')], {
    env,
    cwd: folder,
  })

  expect(scripts).toHaveLength(3)
  for (const output of outputs) {
    expect(output).toContain('Hello there')
    expect(output).toContain('Hello streamed')
  }
  for (const text of ['gpt-4o-mini', 'Hello there', 'lighthouse.png', 'Hello from a recording', '0.9']) {
    expect(stdout).toContain(text)
  }
}, 180_000)
