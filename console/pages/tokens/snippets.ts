import { keyOf, type Token } from '../../api/tokens.ts'

/** Returns environment variables that let clients using OpenAI's or Anthropic's library call the gateway with the key. */
export function environmentOf(token: Token, address: string): string {
  const base = address.replace(/\/+$/, '')
  return [
    `export OPENAI_BASE_URL="${base}/v1"`,
    `export OPENAI_API_KEY="${keyOf(token)}"`,
    `export ANTHROPIC_BASE_URL="${base}"`,
    `export ANTHROPIC_API_KEY="${keyOf(token)}"`,
  ].join('\n')
}

/** Returns a first request for a shell. */
export function curlOf(token: Token, address: string): string {
  return [`curl ${address.replace(/\/+$/, '')}/v1/models \\`, `  -H "Authorization: Bearer ${keyOf(token)}"`].join('\n')
}
