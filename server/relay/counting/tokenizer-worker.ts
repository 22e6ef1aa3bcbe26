import { parentPort } from 'node:worker_threads'

type Encoding = 'o200k_base' | 'cl100k_base'

/** Runs beside the server: counting a long text takes a while, and nobody else must wait for it. */
const loading: Partial<Record<Encoding, Promise<(text: string) => number>>> = {}

async function load(encoding: Encoding): Promise<(text: string) => number> {
  const { countTokens } =
    encoding === 'o200k_base'
      ? await import('gpt-tokenizer/encoding/o200k_base')
      : await import('gpt-tokenizer/encoding/cl100k_base')
  // Special tokens in somebody's text are text.
  return (text) => countTokens(text, { disallowedSpecial: new Set() })
}

parentPort?.on('message', async ({ id, encoding, texts }: { id: number; encoding: Encoding; texts: string[] }) => {
  try {
    loading[encoding] ??= load(encoding)
    const count = await loading[encoding]
    parentPort?.postMessage({ id, tokens: texts.reduce((sum, text) => sum + count(text), 0) })
  } catch (error) {
    parentPort?.postMessage({ id, failure: String(error) })
  }
})
