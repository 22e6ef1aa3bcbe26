import { keyOf, type Token } from '../../api/tokens.ts'

/** What a shell needs so that programs with OpenAI's or Anthropic's library use the gateway with that key. */
export function environmentOf(token: Token, address: string): string {
  const base = address.replace(/\/+$/, '')
  return [
    `export OPENAI_BASE_URL="${base}/v1"`,
    `export OPENAI_API_KEY="${keyOf(token)}"`,
    `export ANTHROPIC_BASE_URL="${base}"`,
    `export ANTHROPIC_API_KEY="${keyOf(token)}"`,
  ].join('\n')
}

/** A first request, to paste into a shell. */
export function curlOf(token: Token, address: string): string {
  return [`curl ${address.replace(/\/+$/, '')}/v1/models \\`, `  -H "Authorization: Bearer ${keyOf(token)}"`].join('\n')
}
