export interface Song {
  title: string
  address: string
}

/** Returns the songs in the result of a music task. Omits URLs other than https, which the page may not load. */
export function songsOf(data: unknown): Song[] {
  if (!Array.isArray(data)) return []
  return data.flatMap((clip: unknown) => {
    if (typeof clip !== 'object' || clip === null || !('audio_url' in clip)) return []
    const { audio_url } = clip
    if (typeof audio_url !== 'string' || !URL.canParse(audio_url)) return []
    const title = 'title' in clip && typeof clip.title === 'string' ? clip.title : ''
    return new URL(audio_url).protocol === 'https:' ? [{ title, address: audio_url }] : []
  })
}
