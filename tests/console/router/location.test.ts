import { expect, test } from 'vitest'
import { canonicalPath, matchPath } from '../../../console/router/location.ts'

test.each([
  ['/', '/', {}],
  ['/token', '/token', {}],
  ['/token', '/Token/', {}],
  ['/team/:id', '/team/7', { id: '7' }],
  ['/request/:id', '/request/a%2Fb%20c', { id: 'a/b c' }],
  ['/request/:id', '/request/100%', { id: '100%' }],
  ['/channel/edit/:id', '/channel/edit/3//', { id: '3' }],
])('%s matches %s', (pattern, path, params) => {
  expect(matchPath(pattern, path)).toEqual(params)
})

test.each([
  ['/', '/', '/'],
  ['/about', '/About', '/about'],
  ['/user/reset', '/USER/Reset//', '/user/reset'],
  ['/team/:id', '/Team/aB%2Fc/', '/team/aB%2Fc'],
])('the canonical path of %s at %s is %s', (pattern, path, canonical) => {
  expect(canonicalPath(pattern, path)).toBe(canonical)
})

test.each([
  ['/', '/token'],
  ['/token', '/'],
  ['/token', '/tokens'],
  ['/token', '//token'],
  ['/team/:id', '/team'],
  ['/team/:id', '/team/7/8'],
  ['/user/edit', '/user/edit/1'],
])('%s does not match %s', (pattern, path) => {
  expect(matchPath(pattern, path)).toBeUndefined()
})
