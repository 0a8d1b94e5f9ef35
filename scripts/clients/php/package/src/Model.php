<?php

namespace Switchyard;

/** An object of the contract. Fields that are null are not sent. */
abstract class Model implements \JsonSerializable
{
    /** Of each property its name in JSON and its type. */
    protected const FIELDS = [];

    public function jsonSerialize(): object
    {
        $object = new \stdClass();
        foreach (static::FIELDS as $property => [$name, $type]) {
            if ($this->$property !== null) {
                $object->$name = self::written($type, $this->$property);
            }
        }
        return $object;
    }

    private static function written(string $type, mixed $value): mixed
    {
        // An array that is empty would become a list.
        if ($value === [] && ($type === 'object' || str_starts_with($type, 'array<string,'))) {
            return new \stdClass();
        }
        return $value instanceof \DateTimeInterface ? $value->format(DATE_RFC3339_EXTENDED) : $value;
    }

    /** @internal what JSON stands for, by the name of its type; what is of no known type stays as it is */
    public static function read(string $type, mixed $value): mixed
    {
        $type = ltrim($type, '\\');
        if (str_ends_with($type, '[]')) {
            return array_map(fn ($item) => self::read(substr($type, 0, -2), $item), $value ?? []);
        }
        if ($value === null) {
            return null;
        }
        if ($type === 'DateTimeImmutable') {
            return new \DateTimeImmutable($value);
        }
        if (defined("$type::TYPES")) {
            $type = constant("$type::TYPES")[$value[constant("$type::PROPERTY")] ?? ''] ?? '';
        }
        return is_array($value) && is_subclass_of($type, self::class) ? $type::from($value) : $value;
    }

    /** @param array<string, mixed> $json */
    private static function from(array $json): static
    {
        $arguments = [];
        foreach (static::FIELDS as $property => [$name, $type]) {
            if (array_key_exists($name, $json)) {
                $arguments[$property] = self::read($type, $json[$name]);
            }
        }
        return new static(...$arguments);
    }
}
