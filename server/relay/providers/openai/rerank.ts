import { countOf, isObject, type Json, objectOf, objectsOf } from '../../json.ts'

/** A ranking in the common shape: documents are objects, usage stands where everybody looks. The same object when it is so. */
export function commonRanking(reply: Json): Json {
  const results = objectsOf(reply.results)
  const common = results.map((result) =>
    typeof result.document === 'string' ? { ...result, document: { text: result.document } } : result,
  )
  const usage = isObject(reply.usage) ? reply.usage : usageIn(objectOf(reply.meta))
  if (usage === reply.usage && common.every((result, at) => result === results[at])) return reply
  return { ...reply, results: common, ...(usage && { usage }) }
}

/** The tokens that were read, or, where those are not told, that are billed. */
function usageIn({ tokens, billed_units }: Json): Json | undefined {
  const used = [objectOf(tokens), objectOf(billed_units)].find(
    ({ input_tokens, output_tokens }) => countOf(input_tokens) + countOf(output_tokens) > 0,
  )
  if (!used) return undefined
  const input = countOf(used.input_tokens)
  const output = countOf(used.output_tokens)
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
}
