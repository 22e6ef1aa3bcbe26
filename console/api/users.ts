import type { SessionUser } from '../session.ts'
import { call } from './client.ts'

export interface User extends SessionUser {
  quota: number
  used_quota: number
  request_count: number
}

export const login = (credentials: { username: string; password: string }) =>
  call<SessionUser>('/api/user/login', { method: 'POST', body: credentials })

export const logout = () => call<void>('/api/user/logout')

export const getSelf = (signal: AbortSignal) => call<User>('/api/user/self', { signal })
