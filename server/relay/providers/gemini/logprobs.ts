import { type Json, numberOf, objectOf, objectsOf, textOf } from '../../json.ts'

/** Converts `logprobsResult` to OpenAI's shape: each chosen token with its alternatives. */
export function openAiLogprobs(result: Json): Json {
  const tops = objectsOf(result.topCandidates)
  return {
    content: objectsOf(result.chosenCandidates).map((chosen, at) => ({
      ...entry(chosen),
      top_logprobs: objectsOf(objectOf(tops[at]).candidates).map(entry),
    })),
    refusal: null,
  }
}

function entry(candidate: Json): Json {
  const token = textOf(candidate.token) ?? ''
  return { token, logprob: numberOf(candidate.logProbability) ?? 0, bytes: [...Buffer.from(token)] }
}
