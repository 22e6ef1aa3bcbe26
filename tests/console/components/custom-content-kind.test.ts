import { describe, expect, test } from 'vitest'
import { contentKind, frameSandbox } from '../../../console/components/custom-content-kind.ts'

describe('what an operator gave', () => {
  test.each(['https://example.org', ' http://127.0.0.1:8080/a?b=c#d\n', 'HTTPS://EXAMPLE.ORG/'])(
    '%j is the address of a page',
    (text) => {
      expect(contentKind(text)).toBe('address')
    },
  )

  test.each([
    '<!DOCTYPE html><p>x',
    '\n<html lang="zh"><body>x</body></html>',
    '<!-- ours -->\n<!doctype html>\n<title>x</title>',
  ])('%j is a document', (text) => {
    expect(contentKind(text)).toBe('document')
  })

  test.each([
    '# About',
    'https://example.org is ours',
    '<h1>About</h1>',
    '<htmlx>',
    'javascript:alert(1)',
    'https://',
    '',
  ])('%j is Markdown', (text) => {
    expect(contentKind(text)).toBe('markdown')
  })
})

describe('the page in a frame', () => {
  test('keeps its origin when it is not ours', () => {
    expect(frameSandbox('https://example.org/a', 'https://gateway.example')).toContain('allow-same-origin')
  })

  test('loses its origin when it is ours: it could act as the reader', () => {
    expect(frameSandbox('https://gateway.example/a', 'https://gateway.example')).not.toContain('allow-same-origin')
  })

  test.each(['https://example.org', 'https://gateway.example'])('never leads the whole tab away: %s', (address) => {
    expect(frameSandbox(address, 'https://gateway.example')).not.toMatch(/top-navigation|allow-modals/)
  })
})
