import { expect, test } from 'vitest'
import { loginPath, returnPath, withReturnPath } from '../../console/return-path.ts'

const place = (path: string) => {
  const { pathname, search, hash } = new URL(path, 'http://here')
  return { pathname, search, hash }
}

test('the login page gets the return path, except from the first screen and sign-in pages', () => {
  expect(loginPath(place('/log?p=2#x'), { expired: false })).toBe('/login?to=%2Flog%3Fp%3D2%23x')
  expect(loginPath(place('/log'), { expired: true })).toBe('/login?expired=true&to=%2Flog')
  expect(loginPath(place('/token'), { expired: false })).toBe('/login')
  expect(loginPath(place('/login?to=%2Flog'), { expired: true })).toBe('/login?expired=true&to=%2Flog')
  expect(loginPath(place('/Login/?to=%2Flog'), { expired: true })).toBe('/login?expired=true&to=%2Flog')
  for (const path of ['/login?to=%2F%2Fevil.example', '/register', '/oauth/github?code=1', '/']) {
    expect(loginPath(place(path), { expired: false })).toBe('/login')
  }
})

test('a return path stays on the same origin', () => {
  expect(returnPath('?to=%2Flog%3Fp%3D2')).toBe('/log?p=2')
  expect(returnPath('')).toBeUndefined()
  for (const to of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    'log',
    '/login',
    '/Register',
    '/%72egister/',
    '/OAuth/github',
    '/.//evil.example',
  ]) {
    expect(returnPath(`?${new URLSearchParams({ to })}`), to).toBeUndefined()
  }
})

test('a link between account pages keeps the return path', () => {
  expect(withReturnPath('?to=%2Flog&aff=x')).toBe('?to=%2Flog')
  expect(withReturnPath('?to=%2F%2Fevil.example')).toBe('')
})
