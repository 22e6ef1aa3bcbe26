import { call } from './client.ts'

/** Returns the operator's home page; empty if not set. */
export const getHomePage = (signal: AbortSignal) => call('GET /api/home_page_content', { signal })

export const getAbout = (signal: AbortSignal) => call('GET /api/about', { signal })

export const getNotice = (signal: AbortSignal) => call('GET /api/notice', { signal })
