import { expect, test } from 'vitest'
import { isAllowedAddress, isAllowedHost, parseAllowedHost } from '../../../core/allowed-hosts.ts'
import { isPublicAddress } from '../../../server/guarded/addresses.ts'

test.each([
  ['this host', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['loopback', '127.0.0.1'],
  ['the end of loopback', '127.255.255.254'],
  ['private, ten', '10.0.0.1'],
  ['private, 172.16', '172.31.255.255'],
  ['private, 192.168', '192.168.1.1'],
  ['link-local', '169.254.1.1'],
  ['cloud metadata', '169.254.169.254'],
  ['cloud metadata of Azure', '168.63.129.16'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['cloud metadata of Alibaba', '100.100.100.200'],
  ['protocol assignments', '192.0.0.192'],
  ['documentation', '203.0.113.7'],
  ['benchmarks', '198.19.0.1'],
  ['6to4 relays', '192.88.99.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified, v6', '::'],
  ['loopback, v6', '::1'],
  ['link-local, v6', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['unique local', 'fd00:ec2::254'],
  ['unique local, other half', 'fc00::1'],
  ['multicast, v6', 'ff02::1'],
  ['documentation, v6', '2001:db8::1'],
  ['documentation, v6, new', '3fff::1'],
  ['discarded', '100::1'],
  ['Teredo', '2001::1'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped loopback in hex', '::ffff:7f00:1'],
  ['mapped metadata', '::ffff:a9fe:a9fe'],
  ['compatible loopback', '::127.0.0.1'],
  ['translated', '::ffff:0:127.0.0.1'],
  ['6to4 of a private address', '2002:0a00:0001::1'],
  ['NAT64 of loopback', '64:ff9b::7f00:1'],
  ['NAT64 of metadata', '64:ff9b::169.254.169.254'],
  ['local NAT64', '64:ff9b:1::808:808'],
  ['no address at all', 'localhost'],
])('is not public: %s, %s', (_, address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
  'is public: %s',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test.each([
  ['files.internal', { host: 'files.internal', port: 80 }, true],
  ['Files.Internal', { host: 'files.internal', port: 8080 }, true],
  ['files.internal:8080', { host: 'files.internal', port: 8080 }, true],
  ['files.internal:8080', { host: 'files.internal', port: 80 }, false],
  ['files.internal', { host: 'other.files.internal', port: 80 }, false],
  ['127.0.0.1:9000', { host: '127.0.0.1', port: 9000 }, true],
  ['[::1]:9000', { host: '::1', port: 9000 }, true],
  ['::1', { host: '::1', port: 443 }, true],
])('%s allows %j: %s', (text, target, expected) => {
  const entry = parseAllowedHost(text) ?? expect.fail('not an entry')
  expect(isAllowedHost([entry], target)).toBe(expected)
})

test.each([
  ['10.0.0.0/8', '10.1.2.3', true],
  ['10.0.0.0/8', '::ffff:10.1.2.3', true],
  ['10.0.0.0/8', '11.1.2.3', false],
  ['fd00::/8', 'fd12::1', true],
  ['fd00::/8', '10.1.2.3', false],
])('the range %s contains %s: %s', (text, address, expected) => {
  const entry = parseAllowedHost(text) ?? expect.fail('not an entry')
  expect(isAllowedAddress([entry], address)).toBe(expected)
})

test.each(['10.0.0.0/33', 'a b', 'http://host', 'host:99999', 'user@host', ':80', 'host/path', ''])(
  '%j is neither a host nor a range',
  (text) => {
    expect(parseAllowedHost(text)).toBeUndefined()
  },
)
