import { expect, test } from 'vitest'
import { matchPath } from '../../../console/router/location.ts'

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
