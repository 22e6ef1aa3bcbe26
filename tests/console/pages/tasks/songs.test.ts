import { expect, test } from 'vitest'
import { songsOf } from '../../../../console/pages/tasks/songs.ts'

test('songs are the playable https addresses', () => {
  expect(
    songsOf([
      { title: 'Rain', audio_url: 'https://cdn.test/rain.mp3' },
      { audio_url: 'https://cdn.test/untitled.mp3' },
      { title: 'Plain', audio_url: 'http://cdn.test/plain.mp3' },
      { title: 'Script', audio_url: 'javascript:alert(1)' },
      { title: 'Not yet', audio_url: '' },
      { title: 'None' },
      null,
      'text',
    ]),
  ).toEqual([
    { title: 'Rain', address: 'https://cdn.test/rain.mp3' },
    { title: '', address: 'https://cdn.test/untitled.mp3' },
  ])
})

test.each([null, {}, 'text', 7])('there are none in %j', (data) => {
  expect(songsOf(data)).toEqual([])
})
