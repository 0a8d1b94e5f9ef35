import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { acceptable, asksForJson, wantsPage } from '../../../src/http/request-head.ts';
import { serverOf } from '../../helpers/koa.ts';

const declared = ['application/json', 'application/yaml'];

function chosen(mediaTypes: readonly string[], accept: string) {
  return request(serverOf((context) => acceptable(context, mediaTypes)))
    .get('/')
    .set('accept', accept);
}

describe('the media type of a reply', () => {
  it.each([
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/yaml', 'application/yaml'],
    ['application/yaml;charset=utf-8', 'application/yaml'],
    ['application/yaml; version="1; 2"', 'application/yaml'],
    ['application/json;q=0.1, application/yaml', 'application/yaml'],
    ['application/json; charset=utf-8; q=0.1, application/yaml;q=0.2', 'application/yaml'],
    ['text/html, application/json;q=0.5', 'application/json'],
  ])('for Accept: %s is %s', async (accept, type) => {
    expect((await chosen(declared, accept)).body).toBe(type);
  });

  it.each(['image/png', 'application/json;q=0', 'text/*'])('is none for Accept: %s', async (accept) => {
    const reply = await chosen(declared, accept);
    expect([reply.status, reply.body.code]).toEqual([406, 'not_acceptable']);
    expect(reply.body.message).toContain('application/json or application/yaml');
  });

  it('of an operation without a body in its reply is that of its errors', async () => {
    expect((await chosen([], 'application/json')).body).toBe('application/json');
    expect((await chosen([], 'text/html')).status).toBe(406);
  });
});

describe('a failure is shown', () => {
  const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
  it.each([
    ['at a page, to a browser', '/page', null, browser, true],
    ['at a page, to a program that takes anything', '/page', null, '*/*', true],
    ['at a page, to a program that asks for JSON', '/page', null, 'application/json', false],
    ['where nothing is, to a browser', null, null, browser, true],
    ['where nothing is, to a program', null, null, '*/*', false],
    ['at an operation, to a browser', null, 'getHealth', browser, false],
  ] as const)('%s', async (_, page, operation, accept, asPage) => {
    const server = serverOf((context, exchange) => {
      exchange.page = page;
      exchange.operation = operation;
      return [wantsPage(context, exchange), asksForJson(context)];
    });
    const { body } = await request(server).get('/').set('accept', accept);
    expect(body).toEqual([asPage, accept === 'application/json']);
  });
});
