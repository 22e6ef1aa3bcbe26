import { GatewayError } from '../../../../core/errors.ts'
import { arrayOf, countOf, defined, type Json } from '../../json.ts'
import { asAsked } from '../openai/embeddings.ts'

/** An embeddings request in Ollama's format: https://github.com/ollama/ollama/blob/main/docs/api.md. Throws REQUEST_MALFORMED. */
export function embedBody({ input, dimensions, truncate, options, keep_alive }: Readonly<Json>, model: string): Json {
  const inputs = Array.isArray(input) ? input : [input]
  if (!inputs.every((text) => typeof text === 'string')) {
    throw new GatewayError('REQUEST_MALFORMED', {
      reason: 'input: Ollama embeds texts, not token numbers; send strings',
    })
  }
  return defined({ model, input: inputs, dimensions, truncate, options, keep_alive })
}

/** Its answer in OpenAI's shape: one item for each input, in their order. */
export function embeddingsOf({ embeddings, model, prompt_eval_count }: Json, asked: Readonly<Json>): Json {
  const tokens = countOf(prompt_eval_count)
  const reply = {
    object: 'list',
    data: arrayOf(embeddings).map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
  return asAsked(reply, asked)
}
