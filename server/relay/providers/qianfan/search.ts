import type { Json } from '../../json.ts'

const SEARCH = { enable: true, enable_citation: true, enable_trace: true }

/**
 * Search is wanted by the model's name (`searches`), or in OpenAI's words; what a client says in Qianfan's own stands. The
 * very object when nothing must change.
 */
export function withSearch(body: Json, { searches }: { searches: boolean }): Json {
  const { web_search_options: wanted, ...rest } = body
  return wanted === undefined && !searches ? body : { web_search: SEARCH, ...rest }
}
