import { describe, expect, test } from 'vitest'
import { contentKind, frameSandbox } from '../../../console/components/custom-content-kind.ts'

describe('a custom content', () => {
  test.each(['https://example.org', ' http://127.0.0.1:8080/a?b=c#d\n', 'HTTPS://EXAMPLE.ORG/'])(
    '%j is a page address',
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

describe('a framed page', () => {
  test('keeps its origin if it is not ours', () => {
    expect(frameSandbox('https://example.org/a', 'https://gateway.example')).toContain('allow-same-origin')
  })

  test('loses its origin if it is ours, because it could act as the reader', () => {
    expect(frameSandbox('https://gateway.example/a', 'https://gateway.example')).not.toContain('allow-same-origin')
  })

  test.each(['https://example.org', 'https://gateway.example'])('never navigates the whole tab: %s', (address) => {
    expect(frameSandbox(address, 'https://gateway.example')).not.toMatch(/top-navigation|allow-modals/)
  })
})
