const formatExample = (value: object) => JSON.stringify(value, null, 2)

/** Maps the client's model name to the provider's model name. */
export const MAPPING_EXAMPLE = formatExample({ 'gpt-3.5-turbo': 'gpt-3.5-turbo-0125' })

/** Maps a status code of the provider to another code, which clients get and which decides about retries. */
export const STATUS_EXAMPLE = formatExample({ 400: '500' })

export const SETTING_EXAMPLE = formatExample({
  proxy: 'socks5://127.0.0.1:1080',
  header_override: { 'x-team': 'blue' },
  param_override: { temperature: 0 },
  system_prompt: 'Answer in French.',
})
