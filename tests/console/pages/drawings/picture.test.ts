import { expect, test } from 'vitest'
import { pictureAddress } from '../../../../console/pages/drawings/picture.ts'

const PAGE = 'https://console.test/midjourney'
const SERVER = 'http://gateway.test:3000'

test.each([
  ['https://cdn.test/a.png', 'https://cdn.test/a.png'],
  ['http://gateway.test:3000/mj/image/7', '/mj/image/7'],
  ['https://console.test/mj/image/7', '/mj/image/7'],
  ['/mj/image/7', '/mj/image/7'],
  ['http://gateway.test:3000/mj/image/7?signature=0a', '/mj/image/7?signature=0a'],
])('the picture %s is shown from %s', (url, shown) => {
  expect(pictureAddress(url, PAGE, SERVER)).toBe(shown)
})

test.each([
  ['by plain http from elsewhere', 'http://cdn.test/a.png'],
  ['an address of ours that may act', 'https://console.test/api/user/token'],
  ['the same by the name of the gateway', 'http://gateway.test:3000/api/user/logout'],
  ['a path that leads out of the pictures', '/mj/image/../../api/user/token'],
  ['a script', 'javascript:alert(1)'],
  ['data', 'data:text/html,hi'],
  ['no address', 'https://'],
])('a picture is not shown if it is %s', (_, url) => {
  expect(pictureAddress(url, PAGE, SERVER)).toBeUndefined()
})
