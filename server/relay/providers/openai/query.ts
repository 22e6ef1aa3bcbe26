/**
 * Parameters that a front end of Google's reads for every API, also in OpenAI's format: they would leave the usage out of a reply,
 * change its format, or choose whom the call is charged to. https://cloud.google.com/apis/docs/system-parameters
 */
const SYSTEM = `accesstoken alt apiversionoverride bearertoken callback fields key oauthtoken outputdefaults pp prettyprint quotauser
  uploadprotocol uploadtype userip userproject xgafv`
/** The model is in the body, by the name that the channel has for it. */
const REFUSED = new Set(['model', 'deployment', ...SYSTEM.split(/\s+/)])

/** The query of a client as it may go to an upstream: without what would change what the request costs, or who pays. */
export function passingQuery(query: string): string {
  if (query === '') return query
  return query
    .split('&')
    .filter((pair) => !pair.includes(';') && namesOf(pair).every((name) => !REFUSED.has(name)))
    .join('&')
}

/** Letters alone, in lower case: the names have variants with a dollar sign, and with and without underscores. */
function namesOf(pair: string): string[] {
  return [...new URLSearchParams(pair).keys()].map((name) => name.toLowerCase().replace(/[^a-z]/g, ''))
}
