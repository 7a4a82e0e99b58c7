create table prices (id integer);
